import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand08",
  productTitle: "保障房",
  loginTitle: "保障房运营平台",
  logo: "brand08-logo.svg",
  favicon: "brand08-favicon.svg",
  background: "brand08-background.svg",
  footerText: "品牌八",
  themeColor: "#237032",
  mode: "dark",
  apiBase: "https://api.brand08.example",
  helpUrl: "https://help.brand08.example/manual.pdf",
};
