/** What differs from one customer's deployment to the next. Chosen by the setting `brand`; given to the browser before login. */
export type Brand = {
  key: string;
  productTitle: string;
  headerTitle: string;
  loginTitle: string;
  /** Stands large on the login page. */
  slogan: string;
  sloganNote: string;
  footerText: string;
  themeColor: string;
  /** The side menu is dark in `dark` brands, light in `light` ones. */
  mode: "dark" | "light";
  /** https address, or empty for the same origin. */
  apiBase: string;
  helpUrl: string;
  hideHelp: boolean;
  /** How often the login page hashes a password before it sends it. */
  passwordHashTimes: 1 | 2;
  showChangePhone: boolean;
  showChangePassword: boolean;
  allowRegister: boolean;
  helpPhone: string;
};

/** Answer of GET /system/api/v3/brand/current: the brand, and the accounts of a demonstration when it is one. */
export type BrandNow = Brand & { demo?: { accounts: { account: string; password: string; name: string }[] } };

const channel = (hex: string, at: number): number => {
  const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return c <= 0.039_28 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance of #RRGGBB as WCAG defines it. */
export const luminance = (hex: string): number =>
  0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);

export const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};

const INKS = ["#FFFFFF", "#141414"] as const;

/** Colour of words on a colour: white or #141414, whichever contrasts more. */
export const inkOn = (hex: string): (typeof INKS)[number] =>
  contrast(hex, INKS[0]) >= contrast(hex, INKS[1]) ? INKS[0] : INKS[1];
