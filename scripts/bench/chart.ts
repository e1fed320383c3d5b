/** A bar chart of the times, drawn as SVG without a browser. */
import * as echarts from "echarts/core";
import { BarChart } from "echarts/charts";
import { GridComponent, LegendComponent, TitleComponent } from "echarts/components";
import { SVGRenderer } from "echarts/renderers";
import type { Row } from "./measure.js";
import { groups } from "./report.js";

echarts.use([BarChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const WIDTH = 1200;
const HEIGHT = 260;
const TOP = 60;

/** One grid a template and Node: bars of microseconds on a logarithmic scale. */
export function chart(rows: readonly Row[]): string {
  const panels = [...groups(rows, ({ template, node }) => `${template}, Node ${node.slice(1)}`)];
  const engines = [...new Set(rows.map(({ engine }) => engine))];
  const svg = echarts.init(null, null, {
    renderer: "svg",
    ssr: true,
    width: WIDTH,
    height: TOP + panels.length * HEIGHT,
  });
  svg.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    legend: { top: 10, data: engines },
    title: panels.map(([text], i) => ({
      text: `${text}: µs a render`,
      top: TOP + i * HEIGHT - 10,
      left: 60,
      textStyle: { fontSize: 13 },
    })),
    grid: panels.map((_, i) => ({
      top: TOP + i * HEIGHT + 25,
      height: HEIGHT - 70,
      left: 70,
      right: 20,
    })),
    xAxis: panels.map(([, own], gridIndex) => ({
      type: "category",
      gridIndex,
      data: workloadsOf(own),
    })),
    yAxis: panels.map((_, gridIndex) => ({ type: "log", gridIndex, min: 0.1 })),
    series: panels.flatMap(([, own], i) =>
      engines.map((name) => ({
        type: "bar",
        name,
        xAxisIndex: i,
        yAxisIndex: i,
        data: workloadsOf(own).map((workload) => timeOf(own, name, workload)),
      })),
    ),
  });
  const text = svg.renderToSVGString();
  svg.dispose();
  return text;
}

function workloadsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map(({ workload }) => workload))];
}

function timeOf(rows: readonly Row[], engine: string, workload: string): number | null {
  return rows.find((row) => row.engine === engine && row.workload === workload)?.us ?? null;
}
