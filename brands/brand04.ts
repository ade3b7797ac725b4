import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand04",
  productTitle: "品质公寓",
  loginTitle: "品质公寓运营平台",
  logo: "brand04-logo.svg",
  favicon: "brand04-favicon.svg",
  background: "brand04-background.svg",
  footerText: "品牌四",
  themeColor: "#E7AA4D",
  mode: "light",
  apiBase: "https://api.brand04.example",
};
