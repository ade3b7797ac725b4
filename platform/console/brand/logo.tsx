import { brandAsset, useBrand } from "./brand.ts";

/** The brand's logo; the product's own is drawn here, so that it stands with the first paint. */
export function Mark({ size }: { size: number }) {
  const logo = brandAsset(useBrand().logo);
  if (logo) return <img src={logo} alt="" height={size} className="mark" />;
  return (
    <svg viewBox="0 0 22 22" width={size} height={size} aria-hidden="true" className="mark">
      <rect x="1" y="1" width="20" height="20" rx="5" fill="var(--primary)" />
      <path d="M6 6h3v3H6zM6 12h3v4H6zM12 6h4v4h-4zM12 13h4v3h-4z" fill="#0E1730" />
    </svg>
  );
}
