import { startAnew } from "./counter.sample.ts";

// runs before each test file
startAnew();
