import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand07",
  productTitle: "园区宿舍",
  loginTitle: "园区宿舍管理平台",
  logo: "brand07-logo.svg",
  favicon: "brand07-favicon.svg",
  background: "brand07-background.svg",
  footerText: "品牌七",
  themeColor: "#0B7285",
  mode: "dark",
  apiBase: "https://api.brand07.example",
  showChangePhone: false,
};
