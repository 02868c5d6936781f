// Lets the editor and the tests of the stand-in use internal members of the engine.
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("UnityEditor")]
[assembly: InternalsVisibleTo("Kit.Unity.Play")]
