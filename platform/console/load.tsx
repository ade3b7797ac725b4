import { Component, lazy, type ComponentType, type ReactNode } from "react";
import type { Load, Screen } from "./screen.ts";
import type { Panel, PanelProps } from "./slots.ts";

/** A page chunk that has not come after 120 s is a failure (specification section 8). */
const CHUNK_MS = 120_000;

const timed = (load: Load): Load => {
  return () =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new ChunkLost()), CHUNK_MS);
      load()
        .then(resolve, () => reject(new ChunkLost()))
        .finally(() => clearTimeout(timer));
    });
};

export class ChunkLost extends Error {
  constructor() {
    super("页面资源加载失败，可能是网络中断或系统刚刚更新");
  }
}

const pages = new WeakMap<Load, ComponentType>();

/** The lazily loaded component of a screen; the same one every time, so that its state survives. */
export function pageOf(screen: Screen): ComponentType {
  let page = pages.get(screen.load);
  if (!page) {
    page = lazy(timed(screen.load));
    pages.set(screen.load, page);
  }
  return page;
}

const panels = new WeakMap<Panel["load"], ComponentType<PanelProps>>();

export function panelOf(panel: Panel): ComponentType<PanelProps> {
  let view = panels.get(panel.load);
  if (!view) {
    view = lazy(panel.load);
    panels.set(panel.load, view);
  }
  return view;
}

/** Keeps a broken page from taking the shell with it. */
export class Fence extends Component<{ children: ReactNode; broken: (error: Error) => ReactNode }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    return this.state.error ? this.props.broken(this.state.error) : this.props.children;
  }
}
