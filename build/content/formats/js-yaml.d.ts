// The package has no types.
declare module "js-yaml" {
  export class Type {
    constructor(
      tag: string,
      options: {
        readonly kind: "scalar";
        readonly resolve: (text: unknown) => boolean;
        /** Called only for texts that resolve. */
        readonly construct: (text: string) => unknown;
      },
    );
  }
  export interface Schema {
    extend(types: { readonly implicit: readonly Type[] }): Schema;
  }
  export const FAILSAFE_SCHEMA: Schema;
  export class YAMLException extends Error {}
  export function load(
    text: string,
    options: {
      readonly schema: Schema;
      readonly maxDepth: number;
      readonly onWarning: (warning: YAMLException) => void;
    },
  ): unknown;
}
