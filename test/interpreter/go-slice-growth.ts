/** How far an appended slice's capacity grows: it shows through `{{ slice }}`, whose bound is the capacity. */
import type { GoType } from "./go-types.js";

/** runtime/sizeclasses.go: the block sizes that Go's allocator hands out. */
const BLOCKS = [
  8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352,
  384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304,
  2688, 3072, 3200, 3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880,
  12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768,
];
const MALLOC_HEADER = 8;
const LARGEST_BLOCK = 32768;
const PAGE = 8192;

/** runtime.roundupsize: blocks over 512 bytes that hold pointers carry a header. */
function roundUp(bytes: number, pointers: boolean): number {
  const header = pointers && bytes > 512 ? MALLOC_HEADER : 0;
  if (bytes + MALLOC_HEADER <= LARGEST_BLOCK) {
    return (BLOCKS.find((block) => block >= bytes + header) ?? LARGEST_BLOCK) - header;
  }
  return Math.ceil(bytes / PAGE) * PAGE;
}

/** The capacity after one element is appended to a full slice (runtime.growslice). */
export function grownCapacity(elem: GoType, capacity: number): number {
  const needed = capacity + 1;
  const threshold = 256;
  let wanted = capacity;
  if (needed > 2 * capacity) wanted = needed;
  else if (capacity < threshold) wanted = 2 * capacity;
  else while (wanted < needed) wanted += Math.floor((wanted + 3 * threshold) / 4);
  return Math.floor(roundUp(wanted * elem.size, elem.pointers) / elem.size);
}

/** The capacity of a slice that grew from empty to a length, one append at a time. */
export function appendedCapacity(elem: GoType, length: number): number {
  let capacity = 0;
  while (capacity < length) capacity = grownCapacity(elem, capacity);
  return capacity;
}
