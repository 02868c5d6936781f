// The editor and the tests of the stand-in look behind the engine's public members.
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("UnityEditor")]
[assembly: InternalsVisibleTo("Kit.Unity.Play")]
