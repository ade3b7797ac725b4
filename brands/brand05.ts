import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand05",
  productTitle: "城市公寓",
  loginTitle: "城市公寓运营平台",
  logo: "brand05-logo.svg",
  favicon: "brand05-favicon.svg",
  background: "brand05-background.svg",
  footerText: "品牌五",
  themeColor: "#3B5BDB",
  mode: "dark",
  apiBase: "https://api.brand05.example",
  hideHelp: true,
};
