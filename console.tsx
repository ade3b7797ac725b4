import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { Entrance } from "./platform/console/entrance.tsx";
import { startTheme } from "./platform/console/theme.ts";
import { house } from "./screens.ts";

startTheme();
createRoot(document.getElementById("root")!).render(
  <BrowserRouter basename="/sams">
    <Entrance house={house} />
  </BrowserRouter>,
);
