/** What the route of a page says to the frame around it (`handle`). */
export interface PageHandle {
  /** It brings a header of its own. */
  readonly ownHeader?: boolean;
}
