import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files that run for long: begun last, one of them would keep all other processes waiting at the end. */
const longFiles = /\/(crash-points|time-lapse|rate-runs|cancellation-races)\.test\.ts$/;

/** As Vitest's own, which takes the largest files first where it does not know how long they took, and the long ones before those. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longFiles.test(moduleId);
    const byProject = Map.groupBy(sorted, ({ project }) => project.name);
    return [...byProject.values()].flatMap((ofProject) => [
      ...ofProject.filter(isLong),
      ...ofProject.filter((file) => !isLong(file)),
    ]);
  }
}
