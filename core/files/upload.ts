/**
 * Allowed types of uploads; the content of a file determines its type. Without a schema, to keep the browser's bundle
 * small.
 */
export const fileTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type FileType = (typeof fileTypes)[number];

/** How names of files of a type end; the first is put behind a name that ends otherwise. */
export const fileEndings: Readonly<Record<FileType, readonly string[]>> = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
};

/** Largest uploaded file, in bytes, and longest name, in characters. */
export const fileBytesMax = 2 * 1024 * 1024;
export const fileNameMax = 120;

/** Most files of one report, and of one answer. */
export const filesMax = 5;
