// Builds the page into files a strict Content-Security-Policy can serve: nothing inline, every asset hashed.
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const launcher = "http://127.0.0.1:9876";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    outDir: "../dist/dashboard",
    emptyOutDir: true,
    // An inlined asset is a data: address, a preload polyfill an inline script: the policy forbids both.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
    reportCompressedSize: false,
  },
  // While developing the page: its own server, the launcher behind it. The launcher knows only its own address.
  server: {
    proxy: {
      "/sdk": { target: launcher, changeOrigin: true },
      "/api": {
        target: launcher,
        changeOrigin: true,
        configure: (proxy) => proxy.on("proxyReq", (request) => request.setHeader("origin", launcher)),
      },
    },
  },
});
