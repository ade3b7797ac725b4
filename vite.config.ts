import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/**
 * Chunks: `react` is what every page loads, the login page included; `query`, `zod` and `antd` come with the shell.
 * Of antd only what the shell and the list page use stands in the common chunk; the rest follows the pages that use it.
 */
export default defineConfig({
  base: "/sams/",
  plugins: [react()],
  // the server puts a fresh nonce in its place with every page
  html: { cspNonce: "__NONCE__" },
  build: {
    outDir: "dist/console",
    emptyOutDir: true,
    manifest: true,
    chunkSizeWarningLimit: 1500,
  },
});
