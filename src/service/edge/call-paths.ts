import type { DescMethod } from "@bufbuild/protobuf";

/**
 * The paths at which a call is answered. Neither codec carries type names, so one implementation serves every name by
 * which clients know the call: with the package's first word or without, below `/rpc` or not. Management and agents
 * share the name `private_location.v1.PrivateLocationService` and no method.
 */
export function pathsOf({ parent, name }: DescMethod): readonly string[] {
  const { typeName } = parent;
  const names = typeName.startsWith(publicPackage)
    ? [typeName, typeName.slice(publicPackage.length)]
    : [typeName];
  return names.flatMap((service) => [`/${service}/${name}`, `/rpc/${service}/${name}`]);
}

const publicPackage = "openstatus.";
