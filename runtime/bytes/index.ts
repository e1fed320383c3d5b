/**
 * Rendering to UTF-8. A compiled body hands its text over in pieces: no long string is ever made flat, and one
 * character beyond Latin-1 does not make all of the text two-byte.
 */
import { renderError } from "../errors.js";
import { borrow, giveBack } from "./buffer.js";

/** What a compiled body hands its text to. */
export interface ByteSink {
  /** Takes the text once it is long; gives what of it is not taken. */
  take(text: string): string;
}

type Body = (sink: ByteSink) => string;

/**
 * The bytes of what the body writes, in a buffer of their own. A lone surrogate becomes U+FFFD, as TextEncoder writes
 * it (WHATWG Encoding); Python's encoder would refuse it.
 */
export function encode(body: Body): Uint8Array<ArrayBuffer> {
  return collect(body, false);
}

/**
 * Hands what the body writes to `write`, in chunks that are valid during the call only. Where the body fails, `written`
 * of the RenderError counts the bytes that `write` has got; what `write` itself throws is passed on as it is.
 */
export function encodeTo(write: (chunk: Uint8Array) => void, body: Body): void {
  deliver(write, body, false);
}

/** Like {@link encode}, for Go's strings: U+DC80 + (byte − 0x80) is the byte itself. */
export function encodeStray(body: Body): Uint8Array<ArrayBuffer> {
  return collect(body, true);
}

/** Like {@link encodeTo}, for Go's strings: U+DC80 + (byte − 0x80) is the byte itself. */
export function encodeStrayTo(write: (chunk: Uint8Array) => void, body: Body): void {
  deliver(write, body, true);
}

function collect(body: Body, strayBytes: boolean): Uint8Array<ArrayBuffer> {
  const buffer = borrow(null, strayBytes);
  try {
    return buffer.finish(body(buffer));
  } catch (error) {
    throw renderError(error);
  } finally {
    giveBack(buffer);
  }
}

function deliver(write: (chunk: Uint8Array) => void, body: Body, strayBytes: boolean): void {
  const buffer = borrow(write, strayBytes);
  try {
    buffer.deliverAll(body(buffer));
  } catch (error) {
    if (buffer.isWriting) throw error;
    const failure = renderError(error);
    failure.written = buffer.written;
    throw failure;
  } finally {
    giveBack(buffer);
  }
}
