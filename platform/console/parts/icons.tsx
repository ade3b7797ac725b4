import type { SVGProps } from "react";

/** One drawing per name, 16 by 16, in the colour of the text around it. */
const DRAWINGS = {
  ascending: "m8 4 3.5 4h-7z",
  bed: "M2 12.5v-9M2 10.5h12v2M14 10.5V8.3a2 2 0 0 0-2-2H6.5v4.2M3.6 8a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0 -2.2 0",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1 1.2H3zM6.7 14h2.6",
  bolt: "M9 1.8 3.5 9H8l-1 5.2L12.5 7H8z",
  box: "m8 1.9 5.5 3v6.2L8 14.1l-5.5-3V4.9zM2.6 5 8 8l5.4-3M8 8v6",
  building: "M3 14V2.5h6V14M9 6h4v8M1.8 14h12.4M5 5h2M5 7.5h2M5 10h2M11 8.5v.1M11 11v.1",
  calendar: "M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3",
  car: "M2.5 11.5v-3l1.6-4.2h7.8l1.6 4.2v3zM2.5 8.5h11M4 11.5v1.6M12 11.5v1.6M5 10v.1M11 10v.1",
  chart: "M2.5 2.5v11h11M5 10.5l2.6-3 2 1.8L13 5.5",
  check: "m3.5 8.5 3 3 6-7",
  chip: "M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14",
  clock: "M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M8 4.5V8l2.3 1.6",
  close: "m4 4 8 8M12 4l-8 8",
  code: "M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h1.5v1.5M13.5 9.5v4h-4",
  columns: "M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  dash: "M4 8h8",
  descending: "m8 12-3.5-4h7z",
  down: "m4 6 4 4 4-4",
  download: "M8 2.5v7.5M5 7.2l3 3 3-3M2.5 13.5h11",
  drop: "M8 2c2.6 3.3 4 5.4 4 7.5a4 4 0 0 1-8 0C4 7.4 5.4 5.3 8 2z",
  edit: "m3 13 .7-3L10.8 2.9l2.3 2.3L6 12.3z",
  exit: "M6.5 2.5h-4v11h4M10 5l3 3-3 3M13 8H6",
  expand: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  eye: "M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM6.2 8a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0",
  file: "M4 1.8h5.2L12.5 5v9.2H4zM9 2v3.2h3.3M6.2 8.2h4M6.2 10.8h4",
  filter: "M2.5 3h11L9.5 8v4.5l-3 1.2V8z",
  flame:
    "M8 1.8c.4 2.6 3.8 3.9 3.8 7.4a3.8 3.8 0 0 1-7.6 0c0-1.7.9-2.7 1.7-3.6.2 1.2.7 1.8 1.4 2.1C7 5.6 7 3.6 8 1.8z",
  fold: "M2 3.5h12M7 8h7M2 12.5h12M4.5 6.2 2.5 8l2 1.8",
  gear: "M6 8a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M8 1.8v1.6M8 12.6v1.6M1.8 8h1.6M12.6 8h1.6M3.6 3.6l1.1 1.1M11.3 11.3l1.1 1.1M3.6 12.4l1.1-1.1M11.3 4.7l1.1-1.1",
  globe:
    "M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M2 8h12M8 2c2 2 2.4 4 2.4 6S10 12 8 14c-2-2-2.4-4-2.4-6S6 4 8 2z",
  grid: "M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z",
  help: "M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M6.3 6.3A1.8 1.8 0 1 1 8 8.6v.6M8 11.3v.1",
  home: "M2.5 7.2 8 2.8l5.5 4.4V13h-4V9.5h-3V13h-4z",
  image: "M2.5 3h11v10h-11zM2.5 11 6 7.5l3 3 1.8-1.8 2.7 2.7M9.5 5.8a1 1 0 1 0 2 0a1 1 0 1 0 -2 0",
  info: "M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M8 7.3v3.7M8 5v.1",
  left: "m10 4-4 4 4 4",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4v.01M2.5 8v.01M2.5 12v.01",
  lock: "M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2",
  menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
  moon: "M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z",
  more: "M2.5 8a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M7 8a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M11.5 8a1 1 0 1 0 2 0a1 1 0 1 0 -2 0",
  open: "M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7",
  phone: "M4.5 1.8h7v12.4h-7zM7 12.2h2",
  pie: "M8 2a6 6 0 1 0 6 6H8zM10.2 1.9A5.6 5.6 0 0 1 14 5.6h-3.8z",
  plus: "M8 3v10M3 8h10",
  print: "M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z",
  radar:
    "M3.6 12.4a6 6 0 1 1 8.8 0M5.6 10.4a3.2 3.2 0 1 1 4.8 0M7.2 8.2a.8 .8 0 1 0 1.6 0a.8 .8 0 1 0 -1.6 0",
  refresh: "M13 5.5A5.5 5.5 0 1 0 13.5 8M13.3 2.5v3.2h-3.2",
  report: "M3 2.5h10v11H3zM5.5 10.5v-2M8 10.5v-5M10.5 10.5V7",
  right: "m6 4 4 4-4 4",
  rows: "M2.5 4h11M2.5 8h11M2.5 12h11",
  save: "M2.5 2.5h8.5l2.5 2.5v8.5h-11zM5 2.5v3.5h5v-3.5M5 13.5V9.5h6v4",
  screen: "M2 3h12v8H2zM5.5 13.5h5M8 11v2.5",
  search: "M2.5 7a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0M10.5 10.5l3 3",
  send: "M14 2 2 7l4.5 2.2L9 14z M14 2 6.5 9.2",
  shield: "M8 1.8 13 3.5v4c0 3.2-2 5.5-5 6.7-3-1.2-5-3.5-5-6.7v-4z",
  sliders:
    "M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M8.5 4.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0 -3.4 0M4 11.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0 -3.4 0",
  spark: "M8 2.5 9.4 6.6 13.5 8l-4.1 1.4L8 13.5 6.6 9.4 2.5 8l4.1-1.4z",
  sun: "M5.2 8a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0 -5.6 0M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M3.6 12.4l1-1M11.4 4.6l1-1",
  table: "M1.8 5h12.4v2H1.8zM3.5 7v6.5M12.5 7v6.5",
  target: "M2 8a6 6 0 1 0 12 0a6 6 0 1 0 -12 0M5 8a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M8 7.9v.2",
  tools:
    "M9.7 5.6a3 3 0 0 1 3.8-3.7l-1.9 1.9.7 1.4 1.5.3 1.3-1.7M9.7 5.6 3 12.3a1.2 1.2 0 0 0 1.7 1.7l6.7-6.7",
  trash: "M3 4.5h10M6 4.5V2.5h4v2M4.3 4.5l.6 9h6.2l.6-9",
  unfold: "M2 3.5h12M7 8h7M2 12.5h12M2.5 6.2l2 1.8-2 1.8",
  up: "m4 10 4-4 4 4",
  upload: "M8 10.5V3M5 5.8l3-3 3 3M2.5 13.5h11",
  user: "M5.2 5.3a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0 -5.6 0M2.8 13.8c.3-3 2.2-4.6 5.2-4.6s4.9 1.6 5.2 4.6",
  users:
    "M3.5 5.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0M1.8 13.5c.2-2.6 1.8-4 4.2-4s4 1.4 4.2 4M10.5 3.3a2.4 2.4 0 0 1 0 4.4M12 9.9c1.4.6 2.1 1.8 2.2 3.6",
  wallet: "M2.5 4.5h10v9h-10zM2.5 4.5l7-2.3v2.3M13.8 7.5h-3a1.5 1.5 0 0 0 0 3h3z",
  warn: "M8 2.3 14.3 13.5H1.7zM8 6.5v3.2M8 11.6v.1",
  wind: "M2 6h7.5a2 2 0 1 0-2-2M2 9h10a1.9 1.9 0 1 1-1.9 1.9M2 12h4.5",
} as const;

const FILLED: ReadonlySet<string> = new Set(["ascending", "descending", "more"]);

export type IconName = keyof typeof DRAWINGS;

/** Decorative unless `label` is given: then a screen reader reads it. */
export const Icon = ({
  name,
  size = 16,
  label,
  className = "",
  ...rest
}: { name: IconName; size?: 12 | 14 | 16 | 20; label?: string } & SVGProps<SVGSVGElement>) => (
  <svg
    {...rest}
    viewBox="0 0 16 16"
    className={`i i-${size} ${FILLED.has(name) ? "i-fill" : ""} ${className}`}
    aria-hidden={label ? undefined : true}
    role={label ? "img" : undefined}
    aria-label={label}
  >
    <path d={DRAWINGS[name]} />
  </svg>
);
