/** A piece of the rendered text and where it comes from. */
export interface Segment {
  readonly text: string;
  /** Whether the template wrote the text, or it comes from the input. */
  readonly from: "template" | "input";
  /** Where in the input it comes from, `["messages", 3, "content"]`, where one place can be named. */
  readonly path?: readonly (string | number)[];
  /** The role of the message that the path leads into, where that is a text. */
  readonly role?: string;
}
