import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand03",
  productTitle: "人才公寓",
  loginTitle: "人才公寓管理平台",
  logo: "brand03-logo.svg",
  favicon: "brand03-favicon.svg",
  background: "brand03-background.svg",
  footerText: "品牌三资产管理有限公司",
  themeColor: "#0E7C66",
  mode: "dark",
  apiBase: "https://api.brand03.example",
};
