// The package's own tests look at what is not public.
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("Kit.Unity.Editor.Tests")]
