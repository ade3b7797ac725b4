import type { Brand } from "../platform/kernel/texts/brand.ts";

/** The product's own brand. Whole, because the console falls back on it before the server has answered. */
export const brand: Brand = {
  key: "default",
  productTitle: "智慧公寓",
  headerTitle: "Smart Apartment Management Platform",
  loginTitle: "智慧公寓运营平台",
  slogan: "每一间房，都看得清",
  sloganNote: "房态、合同、账单、设备，在同一块板上。",
  logo: "default-logo.svg",
  favicon: "default-favicon.svg",
  background: "default-background.svg",
  footerText: "Powered by 网络服务商",
  themeColor: "#5587FF",
  mode: "dark",
  apiBase: "",
  helpUrl: "",
  hideHelp: false,
  passwordHashTimes: 1,
  showChangePhone: true,
  showChangePassword: true,
  allowRegister: false,
  helpPhone: "",
  miniCode: "",
};
