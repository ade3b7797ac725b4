/** What a row still lacks, or that it has all. */
export const Missing = ({ missing }: { missing: readonly string[] }) =>
  missing.length ? (
    <span className="missing">缺{missing.join("、")}</span>
  ) : (
    <span className="dim">齐全</span>
  );
