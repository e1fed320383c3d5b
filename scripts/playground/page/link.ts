/** The state in the fragment of the page's address, which no browser sends anywhere: compressed, as base64url. */
import { stateIn, type State } from "./state.js";

const PREFIX = "#s=";
/** Browsers cut or refuse longer addresses. */
const MOST = 1_000_000;

/** The fragment for a state; null where it would be too long for an address. */
export async function fragmentOf(state: State): Promise<string | null> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const fragment = PREFIX + base64url(packed);
  return fragment.length > MOST ? null : fragment;
}

/** The state of a fragment: null where it has none, an Error where it is damaged. */
export async function stateOf(fragment: string): Promise<State | null> {
  if (!fragment.startsWith(PREFIX)) return null;
  try {
    const packed = fromBase64url(fragment.slice(PREFIX.length));
    const bytes = await through(packed, new DecompressionStream("deflate-raw"));
    const state = stateIn(JSON.parse(new TextDecoder().decode(bytes)));
    if (state !== undefined) return state;
  } catch (cause) {
    throw new Error("the link is damaged: what it keeps cannot be read", { cause });
  }
  throw new Error("the link is damaged: it keeps no template");
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const decoded = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}
