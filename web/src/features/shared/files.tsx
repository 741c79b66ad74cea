import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, FileInput, Group, Stack, Text } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FileView } from '#core/contracts/http/files';
import type { Route } from '#core/contracts/http/routes';
import { filesMax } from '#core/files/upload';
import { addressOfFile } from '../../data/files.ts';
import { formatDecimal } from '../../lib/format/numbers.ts';
import { acceptedTypes, type UploadControl, uploadProblem } from '../../lib/uploads.ts';
import { UploadProblem, UploadProgress, useUpload } from './upload-progress.tsx';

/** The files of a report or an answer, each as a download by the endpoint given. */
export function FileList({ files, route }: { files: readonly FileView[]; route: Route }) {
  if (files.length === 0) return null;
  const count = files.length;
  return (
    <div data-testid="files">
      <Text fz="sm" fw={600}>
        {plural(count, { one: '# archivo', other: '# archivos' })}
      </Text>
      <Stack component="ul" gap={2} p={0} m={0} style={{ listStyle: 'none' }}>
        {files.map(({ id, name, size }) => (
          <li key={id}>
            <Anchor
              href={addressOfFile(route, id)}
              download
              fz="sm"
              style={{ overflowWrap: 'anywhere' }}
              data-testid="file"
            >
              {name} ({sizeText(size)})
            </Anchor>
          </li>
        ))}
      </Stack>
    </div>
  );
}

/** A size in kilobytes, or megabytes with one decimal. */
function sizeText(bytes: number): string {
  const kilobytes = Math.max(1, Math.round(bytes / 1024));
  return kilobytes < 1024 ? `${kilobytes} KB` : `${formatDecimal((bytes / 1024 / 1024).toFixed(1))} MB`;
}

/** Lets a person pick files for a report or an answer, up to the number that is left. */
export function FilesField({
  files,
  onChange,
  already = 0,
  disabled = false,
}: {
  files: readonly File[];
  onChange: (files: File[]) => void;
  /** How many there are already. */
  already?: number;
  disabled?: boolean;
}) {
  return (
    <FileInput
      multiple
      label={t`Archivos (opcional)`}
      description={t`PDF, PNG o JPG, hasta 2 MB cada uno y ${filesMax} en total. Nunca la foto de tu tarjeta.`}
      placeholder={t`Elegir archivos`}
      leftSection={<IconPaperclip size={18} aria-hidden />}
      accept={acceptedTypes}
      clearable
      clearButtonProps={{ 'aria-label': t`Quitar los archivos` }}
      value={[...files]}
      onChange={onChange}
      error={filesProblem(files, already)}
      disabled={disabled}
      data-testid="files-field"
    />
  );
}

/** Why files cannot be added; null when they can. */
export function filesProblem(files: readonly File[], already = 0): string | null {
  if (files.length + already > filesMax) return t`Caben ${filesMax} archivos como máximo`;
  return files.map(uploadProblem).find((problem) => problem !== null) ?? null;
}

/** Files that a person picked, and their upload. */
export function useUploads() {
  const [files, setFiles] = useState<File[]>([]);
  const [error, setError] = useState<Error | null>(null);
  const upload = useUpload();
  const isUnderWay = useRef(false);
  // What leaves the screen is not uploaded behind it.
  const leave = useEffectEvent(() => upload.cancel());
  useEffect(() => () => leave(), []);
  /**
   * Uploads them one after the other until one cannot be; that one and those after it stay picked. Returns whether all were. Asked again
   * while it is under way it does nothing.
   */
  const uploadAll = async (send: (file: File, control: UploadControl) => Promise<unknown>): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setError(null);
    let left = files;
    for (const file of files) {
      try {
        await send(file, upload.begin());
      } catch (failure) {
        setError(failure instanceof Error ? failure : new Error(String(failure)));
        break;
      }
      left = left.slice(1);
      setFiles(left);
    }
    upload.end();
    isUnderWay.current = false;
    return left.length === 0;
  };
  return {
    files,
    setFiles: (picked: File[]) => {
      setFiles(picked);
      setError(null);
    },
    isUploading: upload.share !== null,
    uploadAll,
    /** What becomes of them, for below the field. */
    status: (
      <>
        <UploadProgress upload={upload} name={files[0]?.name} />
        <UploadProblem error={error} name={files[0]?.name} />
      </>
    ),
  };
}

/** Adds files to what was sent already. */
export function AddFiles({
  already,
  upload,
}: {
  already: number;
  upload: Parameters<ReturnType<typeof useUploads>['uploadAll']>[0];
}) {
  const { files, setFiles, isUploading, uploadAll, status } = useUploads();
  const [isOpen, setOpen] = useState(false);
  if (already >= filesMax) return null;
  if (!isOpen)
    return (
      <Button
        variant="default"
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconPaperclip size={16} aria-hidden />}
        onClick={() => setOpen(true)}
        data-testid="files-add"
      >
        <Trans>Agregar archivos</Trans>
      </Button>
    );
  const send = async () => {
    if (files.length === 0 || filesProblem(files, already)) return;
    if (await uploadAll(upload)) setOpen(false);
  };
  return (
    <Stack gap="xs">
      <FilesField files={files} onChange={setFiles} already={already} disabled={isUploading} />
      {status}
      <Group>
        <Button size="sm" loading={isUploading} onClick={() => void send()} data-testid="files-send">
          <Trans>Subir</Trans>
        </Button>
      </Group>
    </Stack>
  );
}
