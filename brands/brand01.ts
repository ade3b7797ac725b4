import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand01",
  productTitle: "移动公寓",
  loginTitle: "移动公寓管理平台",
  logo: "brand01-logo.svg",
  favicon: "brand01-favicon.svg",
  background: "brand01-background.svg",
  footerText: "1999-2022 品牌一 all rights reserved",
  themeColor: "#1677C8",
  mode: "dark",
  apiBase: "https://api.brand01.example",
};
