/** What an import asks for: `./chat_template.jinja`, or a template in a file by `?chat-template` or `?chat-template=name`. */

export interface TemplateRequest {
  /** As the bundler resolved it: an absolute path. */
  readonly path: string;
  /** Whether the query asks for a template: then a file of any name is read as one that holds templates. */
  readonly isAsked: boolean;
  /** Which of a file's templates; undefined for the only one or the default. */
  readonly variant: string | undefined;
}

const QUERY = "chat-template";

/** The request in a path with a query; undefined for another plugin's query, such as `?raw`. */
export function requestOf(id: string): TemplateRequest | undefined {
  const mark = id.indexOf("?");
  if (mark < 0) return { path: id, isAsked: false, variant: undefined };
  const query = new URLSearchParams(id.slice(mark + 1));
  const variant = query.get(QUERY);
  if (variant === null) return undefined;
  return { path: id.slice(0, mark), isAsked: true, variant: variant === "" ? undefined : variant };
}

/** The request that a bundler needs no file rules for. */
export function askedIn(id: string): TemplateRequest | undefined {
  const request = requestOf(id);
  return request?.isAsked === true ? request : undefined;
}
