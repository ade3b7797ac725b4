/** How many contacts a firm has at most; the database keeps to it too. */
export const MOST_CONTACTS = 10;
