import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand10",
  productTitle: "集团公寓",
  headerTitle: "集团公寓管理平台",
  loginTitle: "集团公寓管理平台",
  logo: "brand10-logo.svg",
  favicon: "brand10-favicon.svg",
  background: "brand10-background.svg",
  footerText: "品牌十",
  themeColor: "#495057",
  mode: "dark",
  apiBase: "https://api.brand10.example",
};
