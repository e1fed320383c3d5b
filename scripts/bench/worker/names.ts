/** The engines that render in JavaScript, in the order of the tables. */
export const ENGINE_NAMES = [
  "text",
  "bytes",
  "chunks",
  "unoptimized",
  "template",
  "template-no-eval",
  "limit",
  "limit-bytes",
  "limit-copy",
  "render",
  "segments",
  "hf",
  "minijinja-js",
  "nunjucks",
];

/** Those that know no Go. */
export const JINJA_ENGINES = ["hf", "minijinja-js", "nunjucks"];
