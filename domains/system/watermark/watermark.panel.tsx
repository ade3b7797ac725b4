import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { watermarkContent } from "./watermark.contract.ts";
import { tileOf, type Mark } from "./watermark.rules.ts";

const EVERY_MS = 300_000;

function layer(mark: Mark): HTMLElement {
  const node = document.createElement("div");
  node.dataset["mark"] = mark.text;
  node.setAttribute("aria-hidden", "true");
  Object.assign(node.style, {
    position: "fixed",
    inset: "0",
    zIndex: "2147483000",
    pointerEvents: "none",
    backgroundImage: `url("data:image/svg+xml,${encodeURIComponent(tileOf(mark))}")`,
  });
  return node;
}

/** Lays the mark over the window and lays it anew whenever somebody removes or changes it. Answers how to end that. */
function guarded(mark: Mark): () => void {
  let node = layer(mark);
  const seen = new MutationObserver((changes) => {
    if (node.isConnected && changes.every((change) => change.type === "childList" && change.target !== node))
      return;
    put();
  });
  const put = () => {
    seen.disconnect();
    node.remove();
    node = layer(mark);
    document.body.append(node);
    seen.observe(document.body, { childList: true });
    seen.observe(node, { attributes: true, childList: true });
  };
  put();
  return () => {
    seen.disconnect();
    node.remove();
  };
}

export default function WatermarkPanel() {
  const { data } = useQuery({ ...ask(watermarkContent), staleTime: EVERY_MS, refetchInterval: EVERY_MS });
  const [text, opacity, angle, gap] = [data?.text, data?.opacity, data?.angle, data?.gap];
  useEffect(() => {
    if (text === undefined || opacity === undefined || angle === undefined || gap === undefined) return;
    return guarded({ text, opacity, angle, gap });
  }, [text, opacity, angle, gap]);
  return null;
}
