import cluster from "node:cluster";
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Call } from "../../kernel/call.ts";

export const registry = new Registry();
collectDefaultMetrics({ register: registry });
if (cluster.isWorker) {
  // answers the supervisor, which adds up what its workers count
  AggregatorRegistry.setRegistries(registry);
  void new AggregatorRegistry();
}

/** One for each worker that listens. */
export const workers = new Gauge({
  name: "sams_workers",
  help: "Processes that answer calls",
  registers: [registry],
});

const seconds = new Histogram({
  name: "sams_call_seconds",
  help: "Time of calls by path and status",
  labelNames: ["method", "path", "status"] as const,
  buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 3, 10],
  registers: [registry],
});

/** Starts the clock of a call; the answer is told its status. */
export function measure(call: Call): (status: number) => void {
  const began = performance.now();
  return (status) =>
    seconds.observe({ method: call.method, path: call.path, status }, (performance.now() - began) / 1000);
}
