/** The release that this console is of (specification section 9). */
export const VERSION_LABEL = "v7.0.1";
/** Notes of one look; more come while somebody scrolls. */
export const NOTES_AT_ONCE = 20;

/** What an operator has seen: a newer newest note says something else. */
export const seenMark = (newest: { id: number; releaseTime: string } | undefined): string =>
  newest ? `${newest.releaseTime}#${newest.id}` : "";
