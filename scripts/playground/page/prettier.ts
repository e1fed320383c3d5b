/** prettier for TypeScript, without a file system: stands in for the package in the bundle of the emitter. */
import type { Options } from "prettier";
import { format as formatWith } from "prettier/standalone";
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";

export function format(text: string, options: Options): Promise<string> {
  return formatWith(text, { ...options, plugins: [estree, typescript] });
}
