/** What CPython's views give as their `mapping`: a dict in all that is asked of it, of another type. */
import { OrderedDict } from "../values.js";

/** A mappingproxy; nothing else holds its keys. */
export class MappingProxy extends OrderedDict {}

/** Whether the value is a mappingproxy. */
export function isProxy(v: unknown): v is MappingProxy {
  return v instanceof MappingProxy;
}
