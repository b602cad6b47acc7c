/** Measures text contrast as WCAG defines it, with the colours the browser really paints. */

interface LowContrast {
  readonly text: string;
  readonly ratio: number;
  readonly color: string;
  readonly background: string;
}

declare global {
  interface Window {
    /** Every piece of visible text in the page whose contrast is below `least`. */
    lowContrast(least: number): LowContrast[];
  }
}

type Rgba = readonly [number, number, number, number];

const canvas = new OffscreenCanvas(1, 1);
const brush = canvas.getContext('2d', { willReadFrequently: true });

window.lowContrast = (least) => {
  const found: LowContrast[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? '';
    if (element === null || text === '' || !element.checkVisibility()) continue;
    if (element.closest('.forScreenReaders, script, style, [aria-disabled="true"]')) continue;
    const background = backgroundOf(element);
    const color = over(rgba(getComputedStyle(element).color), background, opacityOf(element));
    const ratio = contrast(color, background);
    if (ratio < least)
      found.push({ text, ratio, color: String(color), background: String(background) });
  }
  return found;
};

function rgba(css: string): Rgba {
  if (brush === null) throw new Error('No canvas.');
  brush.clearRect(0, 0, 1, 1);
  brush.fillStyle = css;
  brush.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = brush.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
}

function over(top: Rgba, below: Rgba, opacity = 1): Rgba {
  const alpha = top[3] * opacity;
  const mix = (i: 0 | 1 | 2): number => top[i] * alpha + below[i] * (1 - alpha);
  return [mix(0), mix(1), mix(2), 1];
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return (
    element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
  );
}

function backgroundOf(element: Element): Rgba {
  const layers: Rgba[] = [];
  for (let at: Element | null = element; at !== null; at = parentOf(at)) {
    layers.unshift(rgba(getComputedStyle(at).backgroundColor));
  }
  return layers.reduce<Rgba>((below, layer) => over(layer, below), [255, 255, 255, 1]);
}

function opacityOf(element: Element): number {
  let opacity = 1;
  for (let at: Element | null = element; at !== null; at = parentOf(at)) {
    opacity *= Number(getComputedStyle(at).opacity);
  }
  return opacity;
}

function luminance([r, g, b]: Rgba): number {
  const linear = (channel: number): number => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function contrast(a: Rgba, b: Rgba): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

export {};
