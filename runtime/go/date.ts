/** The clock of Ollama's currentDate and yesterdayDate. */

/** Ollama's currentDate: `2006-01-02`, whatever the arguments; a text's date is that of its own offset. */
export function currentDate(now?: Date | string): string {
  if (typeof now === "string") {
    return now.slice(0, 10);
  }
  const date = now ?? new Date();
  return format(date.getFullYear(), date.getMonth(), date.getDate());
}

/** Ollama's yesterdayDate: the day before, by the calendar (Go's AddDate(0, 0, -1)). */
export function yesterdayDate(now?: Date | string): string {
  const [year = 0, month = 1, day = 1] = currentDate(now).split("-").map(Number);
  const before = new Date(Date.UTC(year, month - 1, day - 1));
  return format(before.getUTCFullYear(), before.getUTCMonth(), before.getUTCDate());
}

function format(year: number, month: number, day: number): string {
  const two = (n: number) => String(n).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(month + 1)}-${two(day)}`;
}
