/** The buffer that renders encode into. One is kept and used again; a render inside another's `write` gets its own. */

import { meter } from "../meter.js";

/** How many UTF-16 units a body gathers before they are encoded: short enough for the text to die young. */
const CHUNK = 16384;

/** Holds a chunk of any text, and most single values that pass it. */
const FIRST_SIZE = 4 * CHUNK;

/** A longer one is kept only as long as memory is not wanted for something else. */
const LARGEST_SIZE = 1 << 20;

const STRAY = /([\udc80-\udcff])/u;

let idle: ByteBuffer | null = null;

/** A buffer for one render, which must give it back. */
export function borrow(
  write: ((chunk: Uint8Array) => void) | null,
  strayBytes: boolean,
): ByteBuffer {
  const buffer = idle ?? new ByteBuffer();
  idle = null;
  buffer.reset(write, strayBytes);
  return buffer;
}

export function giveBack(buffer: ByteBuffer): void {
  buffer.reset(null, false);
  idle = buffer;
}

export class ByteBuffer {
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(FIRST_SIZE);
  #length = 0;
  /** The memory of a render that was long: one that follows it need not grow step by step, nor ask for new memory. */
  #long: WeakRef<Uint8Array<ArrayBuffer>> | null = null;
  #write: ((chunk: Uint8Array) => void) | null = null;
  #strayBytes = false;
  /** How many bytes `write` has got. */
  written = 0;
  /** Whether `write` is running, or has thrown. */
  isWriting = false;

  /** Empties the buffer for another render. */
  reset(write: ((chunk: Uint8Array) => void) | null, strayBytes: boolean): void {
    this.#write = write;
    this.#strayBytes = strayBytes;
    this.#length = 0;
    if (this.#bytes.length > LARGEST_SIZE) this.#shrink();
    this.written = 0;
    this.isWriting = false;
  }

  take(text: string): string {
    return text.length > CHUNK ? this.#takeLong(text) : text;
  }

  /** The bytes of all that was taken and of the last text, as a copy. */
  finish(last: string): Uint8Array<ArrayBuffer> {
    this.#append(last);
    return this.#bytes.slice(0, this.#length);
  }

  deliverAll(last: string): void {
    this.#append(last);
    if (this.#length > 0) this.#deliver();
  }

  /** A high surrogate at the end stays with the caller: its other half may follow. */
  #takeLong(text: string): string {
    const unit = text.charCodeAt(text.length - 1);
    const isSplit = unit >= 0xd800 && unit <= 0xdbff;
    meter?.noteOutput(text.length);
    this.#append(isSplit ? text.slice(0, -1) : text);
    if (this.#write !== null) this.#deliver();
    return isSplit ? text.slice(-1) : "";
  }

  #append(text: string): void {
    if (this.#strayBytes && STRAY.test(text)) {
      // Splitting by a group gives the texts between the stray bytes at even places, the stray bytes at odd ones.
      text.split(STRAY).forEach((part, i) => {
        if (i % 2 === 0) this.#encode(part);
        else this.#byte(part.charCodeAt(0) - 0xdc00);
      });
    } else {
      this.#encode(text);
    }
  }

  #encode(text: string): void {
    let rest = text;
    for (;;) {
      const room = this.#length === 0 ? this.#bytes : this.#bytes.subarray(this.#length);
      const { read, written } = this.#encoder.encodeInto(rest, room);
      this.#length += written;
      if (read === rest.length) return;
      rest = rest.slice(read);
      this.#makeRoom();
    }
  }

  #byte(byte: number): void {
    if (this.#length === this.#bytes.length) this.#makeRoom();
    this.#bytes[this.#length++] = byte;
  }

  #makeRoom(): void {
    if (this.#write !== null) {
      this.#deliver();
      return;
    }
    const before = this.#bytes;
    const long = this.#long?.deref();
    const isLonger = long !== undefined && long.length > before.length;
    this.#bytes = isLonger ? long : new Uint8Array(2 * before.length);
    this.#bytes.set(before);
  }

  #shrink(): void {
    if (this.#long?.deref() !== this.#bytes) this.#long = new WeakRef(this.#bytes);
    this.#bytes = new Uint8Array(FIRST_SIZE);
  }

  #deliver(): void {
    const chunk = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    this.written += chunk.length;
    this.isWriting = true;
    const hand = (): void => this.#write?.(chunk);
    if (meter === null) hand();
    else meter.pause(hand);
    this.isWriting = false;
    // Who transfers the chunk's buffer to a worker takes it away.
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(FIRST_SIZE);
  }
}
