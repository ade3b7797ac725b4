/** What stands where nothing is known. */
export const NONE = <span className="dim">—</span>;
