/** Images between the forms of the APIs: addresses, base64, bytes. */
import { refuse } from "./fields.js";

/** A data URL of base64: the media type, the data. */
const DATA_URL = /^data:[^,]*;base64,/i;
const ADDRESS = /^[a-z][a-z\d+.-]*:/i;
/** Where the request does not say what kind of image it is. */
const ANY_IMAGE = "image/*";
const CHUNK = 0x8000;

/** An image as an address: a text that is none is base64, as in the AI SDK and in Ollama. */
export function imageUrl(image: unknown, mediaType: string = ANY_IMAGE, path: string): string {
  if (typeof image === "string") {
    return ADDRESS.test(image) ? image : `data:${mediaType};base64,${image}`;
  }
  if (image instanceof URL) return image.href;
  const bytes = bytesOf(image);
  return bytes === null
    ? refuse(path, "an image is a text, a URL or bytes")
    : `data:${mediaType};base64,${base64(bytes)}`;
}

function bytesOf(image: unknown): Uint8Array | null {
  if (image instanceof ArrayBuffer) return new Uint8Array(image);
  return image instanceof Uint8Array ? image : null;
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(text);
}

/** An image as Ollama's API takes it: base64, nothing else. */
export function ollamaImage(url: string, path: string): string {
  const [head] = DATA_URL.exec(url) ?? [];
  if (head === undefined) {
    return refuse(path, "Ollama takes an image's data: fetch it, and give a data URL of base64");
  }
  return url.slice(head.length);
}
