export const NONE = <span className="dim">—</span>;
