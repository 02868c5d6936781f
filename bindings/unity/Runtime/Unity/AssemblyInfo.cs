// Keeps the assembly in builds that strip code: no scene and no game code has to mention it, the engine starts it.
using System.Runtime.CompilerServices;
using UnityEngine.Scripting;

[assembly: AlwaysLinkAssembly]
[assembly: InternalsVisibleTo("Kit.Unity.Editor")]
[assembly: InternalsVisibleTo("Kit.Unity.Tests")]
[assembly: InternalsVisibleTo("Kit.Unity.Editor.Tests")]
[assembly: InternalsVisibleTo("Kit.Tests")]
