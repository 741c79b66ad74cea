import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { IconCamera, IconPhoto } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { readRecipientQr } from '#core/recipients/qr';
import type { RecipientInput } from '#core/recipients/recipient';

/** What came of the last image: words for the person, with what was read of it. */
type Outcome = 'reading' | 'filled' | 'bank_only' | 'other' | 'no_code';

/**
 * Fills the form in from the recipient's QR, by camera or from an image. The image stays on the device. `onRead` gets the fields that
 * the code names, validated as typed ones are.
 */
export function ReadQr({ onRead }: { onRead: (fields: Partial<RecipientInput>) => void }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const take = async (image: File) => {
    setOutcome('reading');
    const text = await decodeQr(image).catch(() => null);
    if (text === null) return setOutcome('no_code');
    const read = readRecipientQr(text);
    if (read.kind === 'fields') onRead(read.fields);
    setOutcome(read.kind === 'fields' ? 'filled' : read.kind);
  };
  return (
    <div>
      <Group gap="xs" h={36} wrap="nowrap">
        <ImageButton label={t`Foto de su QR`} Icon={IconCamera} camera busy={outcome === 'reading'} onTake={take} />
        <ImageButton label={t`Imagen de su QR`} Icon={IconPhoto} busy={outcome === 'reading'} onTake={take} />
      </Group>
      <Text fz="sm" c="dimmed" mt={4} role="status" data-testid="qr-outcome">
        {outcome === 'filled' && <Trans>Completamos lo que dice el QR. Revísalo y escribe lo que falta.</Trans>}
        {outcome === 'bank_only' && <Trans>Este QR solo lo lee la app del banco; escribe los datos.</Trans>}
        {outcome === 'other' && <Trans>Este QR no dice la cuenta; escribe los datos.</Trans>}
        {outcome === 'no_code' && <Trans>No encontramos un QR en la imagen. Prueba con más luz o más cerca.</Trans>}
      </Text>
    </div>
  );
}

interface ImageButtonProps {
  label: string;
  Icon: typeof IconCamera;
  /** Phones open their camera at once, instead of asking where the image comes from. */
  camera?: boolean;
  busy: boolean;
  onTake: (image: File) => Promise<void>;
}

function ImageButton({ label, Icon, camera = false, busy, onTake }: ImageButtonProps) {
  const reset = useRef<() => void>(null);
  const take = (image: File | null) => {
    // The same file can be chosen again.
    if (image) void onTake(image).finally(() => reset.current?.());
  };
  return (
    <FileButton
      accept="image/*"
      onChange={take}
      resetRef={reset}
      {...(camera && { capture: 'environment' })}
      inputProps={{ 'aria-label': label, ...{ 'data-testid': camera ? 'qr-camera' : 'qr-image' } }}
    >
      {(props) => (
        <Button
          {...props}
          size="sm"
          px="xs"
          variant="default"
          leftSection={<Icon size={18} aria-hidden />}
          disabled={busy}
        >
          {label}
        </Button>
      )}
    </FileButton>
  );
}

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
async function decodeQr(file: Blob): Promise<string | null> {
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
