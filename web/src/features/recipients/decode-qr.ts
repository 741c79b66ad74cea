/** Longest side of the picture that is searched, in pixels: larger ones only take longer. */
const sideMax = 1600;

/** What the browser's own reader of codes can do, where it has one. */
interface CodeReader {
  detect(image: ImageBitmap): Promise<readonly { readonly rawValue: string }[]>;
}
interface CodeReaderClass {
  new (options: { formats: readonly string[] }): CodeReader;
  getSupportedFormats(): Promise<readonly string[]>;
}

/** The text of the QR code in an image, or null without one. The image is read here and sent nowhere. @throws for what is no image. */
export async function decodeQr(file: Blob): Promise<string | null> {
  const whole = await createImageBitmap(file);
  const scale = Math.min(1, sideMax / Math.max(whole.width, whole.height));
  const [width, height] = [Math.max(1, Math.round(whole.width * scale)), Math.max(1, Math.round(whole.height * scale))];
  try {
    return (await readByBrowser(whole)) ?? (await readByScript(whole, width, height));
  } finally {
    whole.close();
  }
}

async function readByBrowser(image: ImageBitmap): Promise<string | null> {
  const { BarcodeDetector: Reader } = globalThis as { BarcodeDetector?: CodeReaderClass };
  try {
    if (!Reader || !(await Reader.getSupportedFormats()).includes('qr_code')) return null;
    const [found] = await new Reader({ formats: ['qr_code'] }).detect(image);
    return found?.rawValue || null;
  } catch {
    // Some systems have the class without what it needs.
    return null;
  }
}

async function readByScript(image: ImageBitmap, width: number, height: number): Promise<string | null> {
  // Its types are those of a module in the form of Node.js; the bundler hands over the function itself.
  const jsQr = (await import('jsqr')).default as unknown as typeof import('jsqr')['default'];
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  // What is transparent is paper.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  return jsQr(context.getImageData(0, 0, width, height).data, width, height)?.data || null;
}
