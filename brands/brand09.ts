import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand09",
  productTitle: "商办物业",
  loginTitle: "商办物业运营平台",
  logo: "brand09-logo.svg",
  favicon: "brand09-favicon.svg",
  background: "brand09-background.svg",
  footerText: "品牌九",
  themeColor: "#C2410C",
  mode: "dark",
  apiBase: "https://api.brand09.example",
  allowRegister: true,
};
