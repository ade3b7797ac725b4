/** So many of so many, with a bar where there is a limit. */
export const Share = ({ used, of, text }: { used: number; of: number; text: string }) => (
  <span className="row gap-3" data-whole>
    {of > 0 && (
      <span className="bar">
        <i style={{ width: `${Math.min(100, (used / of) * 100)}%` }} />
      </span>
    )}
    {text}
  </span>
);
