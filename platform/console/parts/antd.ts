import { theme, type ThemeConfig } from "antd";

/** The tokens as antd knows them. antd computes shades from some, so these must be colours, not var() references. */
const SEEDS = {
  light: {
    colorPrimary: "#5587FF",
    colorLink: "#2459D3",
    colorBgLayout: "#F5F6F8",
    colorBgContainer: "#FFFFFF",
    colorBgElevated: "#FFFFFF",
    colorBgContainerDisabled: "#F7F8FA",
    colorBorder: "#D3D8E0",
    colorBorderSecondary: "#E5E8ED",
    colorText: "#18202F",
    colorTextSecondary: "#4A5466",
    colorTextTertiary: "#646D7E",
    colorTextQuaternary: "#A4ABB8",
    colorTextPlaceholder: "#646D7E",
    colorError: "#D5443A",
    colorErrorText: "#B3261E",
    colorSuccess: "#2E9B63",
    colorWarning: "#E77F2B",
    controlItemBgActive: "#EDF2FF",
    controlItemBgHover: "#F2F4F7",
    controlOutline: "rgba(85, 135, 255, .28)",
  },
  dark: {
    colorPrimary: "#5587FF",
    colorLink: "#8DB0FF",
    colorBgLayout: "#0E1116",
    colorBgContainer: "#151920",
    colorBgElevated: "#1B2029",
    colorBorder: "#3A4250",
    colorBorderSecondary: "#262C37",
    colorText: "#E6E9EF",
    colorTextSecondary: "#B3BBC8",
    colorTextTertiary: "#8F98A8",
    colorTextQuaternary: "#5D6675",
    colorTextPlaceholder: "#8F98A8",
    colorError: "#D6493F",
    colorErrorText: "#FF958C",
    colorSuccess: "#2F9561",
    colorWarning: "#D9752A",
    controlItemBgActive: "#1B2747",
    controlItemBgHover: "#1F2530",
    controlOutline: "rgba(85, 135, 255, .34)",
  },
};

/** Who asks the system for less motion gets none. */
const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

/** `primary` of a brand takes the place of the product's own. Text on it is dark where white would be too faint. */
export function antdTheme(dark: boolean, primary = "#5587FF", onPrimary = "#141414"): ThemeConfig {
  const seeds = { ...SEEDS[dark ? "dark" : "light"], colorPrimary: primary, colorInfo: primary };
  return {
    // the dark algorithm dims the brand's colour; words on it are chosen for the colour itself
    algorithm: [
      dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
      (_seed, map) => ({
        ...(map ?? theme.defaultAlgorithm(_seed)),
        colorPrimary: primary,
        colorInfo: primary,
      }),
    ],
    hashed: false,
    // its looks come as a style sheet (vite.config.ts); only the colours are written while the page runs
    zeroRuntime: true,
    token: {
      ...seeds,
      colorTextLightSolid: onPrimary,
      fontFamily: "var(--font)",
      fontSize: 14,
      controlHeight: 32,
      controlHeightSM: 24,
      borderRadius: 6,
      borderRadiusSM: 4,
      borderRadiusLG: 8,
      boxShadowSecondary: "var(--float-shadow)",
      motion: !still,
      motionDurationFast: "0.08s",
      motionDurationMid: "0.12s",
      motionDurationSlow: "0.16s",
    } as ThemeConfig["token"] & object,
    components: {
      Table: {
        headerBg: "var(--bg-subtle)",
        headerColor: "var(--text-3)",
        rowHoverBg: "var(--bg-hover)",
        rowSelectedBg: "var(--primary-tint)",
        rowSelectedHoverBg: "var(--primary-tint)",
        borderColor: "var(--line-soft)",
        headerSplitColor: "transparent",
        cellFontSize: 13,
        headerBorderRadius: 0,
      },
      Tooltip: { colorTextLightSolid: "#FFFFFF", colorBgSpotlight: dark ? "#3A4250" : "#18202F" },
      Select: { optionSelectedBg: "var(--primary-tint)", optionSelectedColor: "var(--link)" },
    },
  };
}
