/** LIKE's pattern for texts that contain a person's words as they are. */
export function containing(text: string): string {
  return `%${literal(text)}%`;
}

/** A text in which LIKE's own signs stand for themselves. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
