import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/**
 * Chunks: `react` is what every page loads, the login page included; `query`, `zod` and `antd` come with the shell.
 * Of antd only what the shell and the list page use stands in the common chunk; the rest follows the pages that use it.
 */
export default defineConfig({
  base: "/sams/",
  plugins: [react()],
  build: {
    outDir: "dist/console",
    emptyOutDir: true,
    manifest: true,
    chunkSizeWarningLimit: 1500,
  },
});
