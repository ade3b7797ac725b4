import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { Entrance } from "./platform/console/shell/entrance.tsx";
import { setHouse } from "./platform/console/screens/slots.ts";
import { startTheme } from "./platform/console/brand/theme.ts";
import { house } from "./screens.ts";

startTheme();
// public pages look at the table too; the shell lays the changed menus over it
setHouse(house);
createRoot(document.getElementById("root")!).render(
  <BrowserRouter basename="/sams">
    <Entrance house={house} />
  </BrowserRouter>,
);
